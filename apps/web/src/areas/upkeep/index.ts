import { part } from '#kit/chunk.ts'

export { BackupAlert } from './BackupAlert.tsx'
export const BackupsBlock = part(() => import('./BackupsBlock.tsx'))
