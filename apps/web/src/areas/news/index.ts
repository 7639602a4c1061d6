/** Public parts of the news area. */
import { part } from '#kit/chunk.ts'

/** Dashboard block, loaded lazily. */
export const NewsBlock = part(() => import('./NewsBlock.tsx'))
