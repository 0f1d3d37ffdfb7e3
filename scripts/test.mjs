// Runs the tests and closes with one plain line: N passed, N failed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerHelp } from './command-line.mjs';
import { run, setUp, tool } from './setup.mjs';

answerHelp(`npm test -- [part of a path …] [flags of vitest]

  npm test                 everything that needs only Node (and kubectl, AWS CLI, Chromium where present)
  npm test -- src/core     only what matches`);
await setUp();
const folder = mkdtempSync(join(tmpdir(), 'karpenter-test-'));
const report = join(folder, 'report.json');
let failure;
try {
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  await run(tool('vitest'), [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
} catch (error) {
  failure = error;
}
const counts = countsOf(report);
rmSync(folder, { recursive: true });
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (failure !== undefined || counts.failed > 0 || counts.passed === 0) process.exitCode = 1;

function countsOf(file) {
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'));
    const brokenFiles = result.testResults.filter(
      (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
    );
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + brokenFiles.length,
      skipped: result.numPendingTests + result.numTodoTests,
    };
  } catch (error) {
    console.error(`reading the test report: ${error.message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
