import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  calendar: () => import('./CalendarPage.tsx'),
  daySheet: () => import('./sheet/DaySheetPage.tsx'),
  waitingList: () => import('./waiting/WaitingPage.tsx'),
} satisfies Screens
