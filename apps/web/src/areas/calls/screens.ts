import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  calls: () => import('./CallsPage.tsx'),
  customerCalls: () => import('./CustomerCallsPage.tsx'),
  incomingCall: () => import('./incoming/IncomingCallPage.tsx'),
} satisfies Screens
