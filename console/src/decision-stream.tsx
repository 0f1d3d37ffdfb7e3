import type { JSX } from 'preact';
import type { Decision } from '../../src/core/explain/decision.ts';
import { clockTime, usdPerHour } from './format.ts';
import { decisions } from './state.ts';

/** What was decided and why, newest first. */
export function DecisionStream(): JSX.Element {
  return (
    <section class="decisions" aria-labelledby="decisions-title">
      <h2 id="decisions-title">Decisions</h2>
      {decisions.value.length === 0 && <p class="empty">Nothing had to be decided yet.</p>}
      <ol reversed>
        {decisions.value.map((decision) => (
          <DecisionItem key={decision.id} decision={decision} />
        ))}
      </ol>
    </section>
  );
}

function DecisionItem({ decision }: { decision: Decision }): JSX.Element {
  return (
    <li>
      <p class="meta">
        <time>{clockTime(decision.atMs)}</time> <code>{decision.code}</code>
        <MoneyChange decision={decision} />
      </p>
      <p>{decision.sentence}</p>
    </li>
  );
}

function MoneyChange({ decision: { money } }: { decision: Decision }): JSX.Element | null {
  if (money === undefined) return null;
  const change = money.afterUsdPerHour - money.beforeUsdPerHour;
  if (change === 0) return null;
  return (
    <span
      class={change > 0 ? 'dearer' : 'cheaper'}
    >{`${change > 0 ? '+' : '−'}${usdPerHour(Math.abs(change))}`}</span>
  );
}
