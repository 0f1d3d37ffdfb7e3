import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'console/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/cluster/**', 'test/judges/**', 'node_modules/**', 'dist/**'],
    // Two cores are the smallest machine we build on; whole-system tests start servers.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
