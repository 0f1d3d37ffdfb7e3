import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/judges/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    passWithNoTests: true,
  },
});
