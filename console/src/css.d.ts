/** The bundler makes files of them; nothing is imported by name. */
declare module '*.css';
