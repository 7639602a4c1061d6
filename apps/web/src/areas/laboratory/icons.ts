import {
  IconBuildingFactory2,
  IconChartDots,
  IconFlask,
  IconMicroscope,
  IconReportAnalytics,
  IconTestPipe,
  IconTestPipe2,
  IconTruckDelivery,
  IconVaccineBottle,
  type TablerIcon,
} from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  laboratory: IconFlask,
  labOrders: IconTestPipe,
  labKdl: IconTruckDelivery,
  labSamples: IconTestPipe2,
  labResults: IconReportAnalytics,
  labCatalog: IconVaccineBottle,
  labList: IconBuildingFactory2,
  labDevices: IconMicroscope,
  labQuality: IconChartDots,
} satisfies Readonly<Record<string, TablerIcon>>
