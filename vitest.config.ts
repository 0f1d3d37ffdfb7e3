import { defineConfig } from 'vitest/config';

/** Two cores are the smallest machine we build on; whole-system tests start servers. */
const maxWorkers = 2;
/** Whatever is tested, plans are judged. */
const setupFiles = ['test/validator/every-plan.ts'];
const patience = { testTimeout: 180_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        // Nothing here changes a module or the process, so that files may share a worker's modules.
        test: {
          name: 'units',
          include: ['src/**/*.test.ts', 'console/**/*.test.ts'],
          isolate: false,
          setupFiles,
          ...patience,
        },
      },
      {
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: ['test/cluster/**', 'test/judges/**'],
          setupFiles,
          ...patience,
        },
      },
    ],
  },
});
