import { expect, test } from 'vitest';
import { aDaemon, aNode, aPod, aSnapshot, pods } from '../../../test/validator/builders.ts';
import { Workspace } from './workspace.ts';

const size = { cpu: 4000, memory: 0, pods: 10 };

test('free is what bound pods, reservations and daemons to come leave over', () => {
  const [reserved, waiting] = pods(2, { cpuMillis: 1000 });
  if (reserved === undefined || waiting === undefined) throw new Error('two pods were asked for');
  const node = aNode({
    allocatable: size,
    pods: [aPod({ name: 'bound', cpuMillis: 500 })],
    reservedFor: [reserved.uid, 'a pod that is gone'],
  });
  const snapshot = aSnapshot({ nodes: [node], daemons: [aDaemon({ cpuMillis: 500 })] });
  const workspace = new Workspace(snapshot, [reserved, waiting]);
  const [slot] = workspace.slots;
  expect(workspace.slotOf(reserved.uid)).toBe(slot);
  expect(slot && workspace.room(waiting, slot)).toBe(2);
});

test('a daemon that runs already is not counted again', () => {
  const daemon = aDaemon({ cpuMillis: 3000 });
  const running = { ...daemon, name: 'daemon-x7f', uid: 'other', nodeName: 'node' };
  const snapshot = aSnapshot({
    nodes: [aNode({ allocatable: size, pods: [running] })],
    daemons: [daemon],
  });
  const pod = aPod({ cpuMillis: 1000 });
  const workspace = new Workspace(snapshot, [pod]);
  const [slot] = workspace.slots;
  expect(slot && workspace.room(pod, slot)).toBe(1);
});

test('whatever is placed, removed and opened is undone back to the mark', () => {
  const port = { ip: '', port: 80, protocol: 'TCP' };
  const bound = aPod({ name: 'bound', cpuMillis: 1000 });
  const guest = aPod({ name: 'guest', cpuMillis: 1000, hostPorts: [port] });
  const snapshot = aSnapshot({ nodes: [aNode({ allocatable: size, pods: [bound] })] });
  const workspace = new Workspace(snapshot, [guest]);
  const [slot] = workspace.slots;
  if (slot === undefined) throw new Error('the node is missing');
  const probe = aPod({ name: 'probe', cpuMillis: 1000 });
  const before = [workspace.room(probe, slot), workspace.room(guest, slot)];
  const mark = workspace.mark();

  expect(workspace.remove(bound.uid)).toBe(true);
  workspace.place(guest, slot);
  const opened = workspace.open({
    name: 'new',
    labels: {},
    taints: [],
    free: { cpu: 1000, pods: 1 },
  });
  workspace.place(probe, opened);
  expect(workspace.room(probe, slot)).toBe(3);
  expect(workspace.room(guest, slot)).toBe(0);
  expect(workspace.slots).toHaveLength(2);

  workspace.undo(mark);
  expect([workspace.room(probe, slot), workspace.room(guest, slot)]).toEqual(before);
  expect(workspace.slotOf(bound.uid)).toBe(slot);
  expect(workspace.slotOf(probe.uid)).toBeUndefined();
  expect(workspace.slots).toEqual([slot]);
});

test('placing a pod twice is a programming error', () => {
  const pod = aPod();
  const workspace = new Workspace(aSnapshot({ nodes: [aNode()] }), [pod]);
  const [slot] = workspace.slots;
  if (slot === undefined) throw new Error('the node is missing');
  workspace.place(pod, slot);
  expect(() => workspace.place(pod, slot)).toThrow('a second time');
});
