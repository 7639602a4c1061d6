import {
  IconCalendarTime,
  IconClipboardList,
  IconDeviceHeartMonitor,
  IconHourglass,
  type TablerIcon,
} from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  calendar: IconCalendarTime,
  daySheet: IconClipboardList,
  waitingList: IconHourglass,
  equipment: IconDeviceHeartMonitor,
} satisfies Readonly<Record<string, TablerIcon>>
