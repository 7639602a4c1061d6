import {
  IconBuildingBank,
  IconBuildingHospital,
  IconCalendarCog,
  IconNumbers,
  type TablerIcon,
} from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  filials: IconBuildingHospital,
  organizations: IconBuildingBank,
  sequences: IconNumbers,
  workingCalendar: IconCalendarCog,
} satisfies Readonly<Record<string, TablerIcon>>
