import type { StartKit } from '@ordinator/model/areas/start/kits'
import { cosmetology } from './cosmetology.ts'
import { dentistry } from './dentistry.ts'
import { general } from './general.ts'
import { gynaecology } from './gynaecology.ts'
import type { Kit } from './kit.ts'
import { laboratory } from './laboratory.ts'
import { paediatrics } from './paediatrics.ts'

export const kits: Readonly<Record<StartKit, Kit>> = {
  general,
  dentistry,
  gynaecology,
  paediatrics,
  cosmetology,
  laboratory,
}
