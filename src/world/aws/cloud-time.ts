import type { Clock } from '../../ports/clock.ts';

/**
 * The cloud's own pace. At speed 10 a boot of 45 simulated seconds takes 4.5 on the clock, and
 * the bill counts 45. Timestamps in answers are the clock's.
 */
export class CloudTime {
  readonly #clock: Clock;
  readonly #speed: number;

  constructor(clock: Clock, speed: number) {
    if (!(speed > 0)) throw new Error(`creating the AWS endpoint: speed ${speed} is not positive`);
    this.#clock = clock;
    this.#speed = speed;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  /** Calls back after that many simulated seconds; the returned function cancels. */
  after(simulatedSeconds: number, callback: () => void): () => void {
    // Whole milliseconds, since moments of the clock end up in timestamps.
    return this.#clock.schedule(Math.round((simulatedSeconds * 1000) / this.#speed), callback);
  }

  /** How many simulated seconds lie between two moments of the clock. */
  secondsBetween(fromMs: number, toMs: number): number {
    return ((toMs - fromMs) / 1000) * this.#speed;
  }

  /** The moment of the clock that lies that many simulated seconds after another. */
  later(fromMs: number, simulatedSeconds: number): number {
    return fromMs + (simulatedSeconds * 1000) / this.#speed;
  }
}
