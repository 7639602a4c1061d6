import { IconLayoutKanban, IconListCheck } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const tasks = {
  icons: {
    tasks: IconLayoutKanban,
    myTasks: IconListCheck,
  },
  screens: {
    tasks: () => import('./TasksPage.tsx'),
    myTasks: () => import('./mine/MyTasksPage.tsx'),
    invitation: () => import('./workspace/InvitationPage.tsx'),
  },
} satisfies Area
