import {
  IconBuildingWarehouse,
  IconFileInvoice,
  IconListCheck,
  IconPackages,
  IconQrcode,
  IconStack2,
  IconTemperature,
  type TablerIcon,
} from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  warehouse: IconBuildingWarehouse,
  stockDocuments: IconFileInvoice,
  inventory: IconListCheck,
  goods: IconPackages,
  mdlp: IconQrcode,
  batches: IconStack2,
  climate: IconTemperature,
} satisfies Readonly<Record<string, TablerIcon>>
