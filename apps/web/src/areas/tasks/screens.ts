import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  tasks: () => import('./TasksPage.tsx'),
  myTasks: () => import('./mine/MyTasksPage.tsx'),
  invitation: () => import('./workspace/InvitationPage.tsx'),
} satisfies Screens
