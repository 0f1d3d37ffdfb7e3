import { render } from 'preact';
import { App } from './app.tsx';
import { connect } from './state.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no element with the id app');
render(<App />, root);
connect();
