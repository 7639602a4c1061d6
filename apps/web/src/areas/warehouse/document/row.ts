import type { WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import type { Row } from '@ordinator/model/entity'

export type DocumentRow = Row<typeof WarehouseDocument>
