export function anchorPath(): string;
