import type { JSX } from 'preact';
import type { Funnel, FunnelStep } from '../../src/core/explain/reason.ts';
import type { ReasonView } from '../../src/server/view.ts';

/** What would help, and behind a click how each pool and the nodes shrank to nothing. */
export function Reasons({ reason }: { reason: ReasonView | undefined }): JSX.Element | null {
  if (reason === undefined) return null;
  const { parts, nodes, remedies } = reason;
  const funnels = [
    ...(nodes === undefined ? [] : [{ name: 'Nodes that exist', funnel: nodes }]),
    ...parts.flatMap(({ subject, funnel }) =>
      funnel === undefined ? [] : [{ name: `${subject.kind} ${subject.name}`, funnel }],
    ),
  ];
  return (
    <>
      {remedies.map((remedy, index) => (
        <p key={remedy} class="remedy">
          {index === 0 ? 'It would help to' : 'or to'} {remedy}
        </p>
      ))}
      {funnels.length > 0 && (
        <details class="reasons">
          <summary>which rule left how much</summary>
          {funnels.map(({ name, funnel }) => (
            <FunnelTable key={name} name={name} funnel={funnel} />
          ))}
        </details>
      )}
    </>
  );
}

function FunnelTable({ name, funnel }: { name: string; funnel: Funnel }): JSX.Element {
  const { considered, steps, nearest } = funnel;
  return (
    <>
      <table>
        <caption>
          {name}: {considered} {funnel.of}
        </caption>
        <tbody>
          {steps.map((step) => (
            <tr key={stepName(step)}>
              <th scope="row">{stepName(step)}</th>
              <td>−{step.removed}</td>
              <td>{step.left} left</td>
            </tr>
          ))}
        </tbody>
      </table>
      {nearest !== undefined && (
        <p>
          Nearest: {nearest.name} ({nearest.lacks.join('; ')})
        </p>
      )}
    </>
  );
}

function stepName({ constraint, key }: FunnelStep): string {
  return key === undefined ? constraint : `${constraint}: ${key}`;
}
