import { part } from '#base/chunk.ts'

export { BackupAlert } from './BackupAlert.tsx'
export const BackupsBlock = part(() => import('./BackupsBlock.tsx'))
