import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/judges/**/*.test.ts'],
    setupFiles: ['test/validator/every-plan.ts'],
    fileParallelism: false,
    testTimeout: 1_200_000,
    // The first time, Go fetches and builds the original; that takes minutes.
    hookTimeout: 1_800_000,
    passWithNoTests: true,
  },
});
