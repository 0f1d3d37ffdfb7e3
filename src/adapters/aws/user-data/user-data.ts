import { al2UserData } from './al2.ts';
import { al2023UserData } from './al2023.ts';
import type { Bootstrap } from './bootstrap.ts';
import { bottlerocketUserData } from './bottlerocket.ts';
import { windowsUserData } from './windows.ts';

/** EC2 takes no more, counted before base64. */
export const userDataLimitBytes = 16_384;

/** What the machine runs first, before base64. Rejects what its family cannot be told. */
export function userData(bootstrap: Bootstrap): string {
  switch (bootstrap.family) {
    case 'AL2023':
      return al2023UserData(bootstrap);
    case 'AL2':
      return al2UserData(bootstrap);
    case 'Bottlerocket':
      return bottlerocketUserData(bootstrap);
    case 'Custom':
      return bootstrap.userData ?? '';
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return windowsUserData(bootstrap);
  }
}
