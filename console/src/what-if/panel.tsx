import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { NodeView } from '../../../src/server/view.ts';
import { view } from '../state.ts';
import type { Ask, Reply } from './answer.ts';
import { AnswerView } from './answer-view.tsx';
import { ask } from './asking.ts';
import { Headline } from './headline.tsx';
import type { Problem } from './read-text.ts';
import './what-if.css';

/** What was asked last, and what came of it; no reply while it is being worked out. */
interface Asked {
  readonly ask: Ask;
  readonly reply?: Reply;
  /** As they were when the reply came. */
  readonly nodes?: readonly NodeView[] | undefined;
}

const asked = signal<Asked | undefined>(undefined);
const text = signal('');

/** Asks what if the node went. */
export function askAboutNode(name: string): void {
  start({ kind: 'node', name });
}

/** Leads whoever has opened the panel to where the manifest goes. */
export function focusText(): void {
  document.getElementById(textId)?.focus();
}

const textId = 'what-if-text';

function start(question: Ask): void {
  asked.value = { ask: question };
  ask(question, (reply) => {
    asked.value = { ask: question, reply, nodes: view.value?.nodes };
  });
}

const example = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 10
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: main
          image: nginx
          resources: { requests: { cpu: "1", memory: 2Gi } }
`;

/** Takes a manifest and shows what it would bring. */
export function WhatIfPanel(): JSX.Element {
  return (
    <div class="what-if">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start({ kind: 'manifest', text: text.value });
        }}
      >
        <label for={textId}>… I applied this manifest?</label>
        <textarea
          id={textId}
          spellcheck={false}
          autocomplete="off"
          rows={10}
          placeholder={example}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
        <div class="bar">
          <span class="buttons">
            <button type="submit" class="main">
              Work it out
            </button>
            {text.value === '' && (
              <button
                type="button"
                onClick={() => {
                  text.value = example;
                }}
              >
                Try an example
              </button>
            )}
          </span>
          <small>
            … a node went? Press the ? in its box. Your text stays in this page, and nothing is
            changed.
          </small>
        </div>
      </form>
      <Outcome asked={asked.value} />
      <Assumptions />
    </div>
  );
}

/** The first words are read out; whoever wants to know more goes on from there. */
function Outcome({ asked: last }: { asked: Asked | undefined }): JSX.Element {
  const isWorking = last !== undefined && last.reply === undefined;
  const reply = last?.reply;
  return (
    <div class="outcome" aria-busy={isWorking}>
      <div role="status">
        {isWorking && <p class="empty">Reading the cluster and working it out …</p>}
        {reply?.kind === 'failed' && <p class="problem">{reply.sentence}</p>}
        {reply?.kind === 'problems' && <h3>This must be mended first</h3>}
        {reply?.kind === 'answer' && <Headline ask={last?.ask} answer={reply.answer} />}
      </div>
      {reply?.kind === 'problems' && <Problems problems={reply.problems} />}
      {reply?.kind === 'answer' && <AnswerView answer={reply.answer} nodes={last?.nodes ?? []} />}
    </div>
  );
}

const shownProblems = 20;

function Problems({ problems }: { problems: readonly Problem[] }): JSX.Element {
  return (
    <ul class="problems">
      {problems.slice(0, shownProblems).map(({ line, sentence }) => (
        <li key={`${line} ${sentence}`} class="problem">
          <span class="line">line {line}</span> {sentence}
        </li>
      ))}
      {problems.length > shownProblems && <li>and {problems.length - shownProblems} more</li>}
    </ul>
  );
}

function Assumptions(): JSX.Element {
  return (
    <details class="assumptions">
      <summary>what is assumed</summary>
      <ul>
        <li>The cluster is as it was when you asked. Pods that wait already are placed as well.</li>
        <li>
          All pods come at once, and the kube-scheduler puts them where they are planned. It binds
          those that fit the nodes that are there by its own taste, which may leave other room.
        </li>
        <li>
          What an API server adds is not known here: LimitRanges, webhooks, quotas, the overhead of
          RuntimeClasses. Persistent volumes are not looked up.
        </li>
        <li>Prices are those that the controller knows. EC2 may be out of what is cheapest.</li>
      </ul>
    </details>
  );
}
