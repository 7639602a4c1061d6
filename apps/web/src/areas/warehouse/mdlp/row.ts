import type { MdlpDocument } from '@ordinator/model/areas/warehouse/mdlp'
import type { Row } from '@ordinator/model/entity'

export type MdlpRow = Row<typeof MdlpDocument>
