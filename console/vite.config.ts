import { defineConfig } from 'vite';

// Everything is a file of its own: the page's Content-Security-Policy allows nothing inline.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
