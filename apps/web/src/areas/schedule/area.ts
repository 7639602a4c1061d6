import { IconCalendarTime, IconClipboardList, IconDeviceHeartMonitor, IconHourglass } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const schedule = {
  icons: {
    calendar: IconCalendarTime,
    daySheet: IconClipboardList,
    waitingList: IconHourglass,
    equipment: IconDeviceHeartMonitor,
  },
  screens: {
    calendar: () => import('./CalendarPage.tsx'),
    daySheet: () => import('./sheet/DaySheetPage.tsx'),
    waitingList: () => import('./waiting/WaitingPage.tsx'),
  },
} satisfies Area
