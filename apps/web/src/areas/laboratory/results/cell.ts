import type { MatrixRow } from '@ordinator/model/areas/laboratory/calls'

export type Cell = MatrixRow['cells'][string]
