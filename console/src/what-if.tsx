import { signal } from '@preact/signals';
import type { JSX } from 'preact';

type Panel = typeof import('./what-if/panel.tsx');

/** The panel, once somebody has asked for it: whoever only looks need not load it. */
const panel = signal<Panel | 'loading' | 'missing' | undefined>(undefined);

/** Shows the panel, and asks what if the node went where one is named. */
export async function openWhatIf(nodeName?: string): Promise<void> {
  panel.value ??= 'loading';
  document.getElementById(sectionId)?.scrollIntoView();
  try {
    const loaded = await import('./what-if/panel.tsx');
    panel.value = loaded;
    if (nodeName !== undefined) loaded.askAboutNode(nodeName);
    // The button that was pressed may be gone, or far from here; whoever types goes on at once.
    else requestAnimationFrame(loaded.focusText);
  } catch (error) {
    // What browsers throw when a part of the page cannot be loaded.
    if (!(error instanceof TypeError)) throw error;
    panel.value = 'missing';
  }
}

const sectionId = 'what-if';

/** What would be if the cluster were changed; nothing of it happens. */
export function WhatIf(): JSX.Element {
  return (
    <section id={sectionId} aria-labelledby="what-if-title">
      <h2 id="what-if-title">What if …</h2>
      <Inside />
    </section>
  );
}

function Inside(): JSX.Element {
  const loaded = panel.value;
  if (loaded === undefined)
    return (
      <>
        <p class="empty">
          What would a manifest bring, and what if a node went? Karpenter's own engine answers, here
          in the page, and nothing is changed.
        </p>
        <button type="button" onClick={() => openWhatIf()}>
          Ask about a manifest
        </button>
      </>
    );
  if (loaded === 'loading') return <p class="empty">One moment …</p>;
  if (loaded === 'missing')
    return (
      <p class="empty" role="alert">
        This part of the page could not be loaded. Reload the page to try again.
      </p>
    );
  return <loaded.WhatIfPanel />;
}
