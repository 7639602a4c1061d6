import { IconAdjustments, IconBroadcast, IconBuilding, IconDeviceMobile, type TablerIcon } from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  mainSettings: IconAdjustments,
  company: IconBuilding,
  portal: IconDeviceMobile,
  socket: IconBroadcast,
} satisfies Readonly<Record<string, TablerIcon>>
