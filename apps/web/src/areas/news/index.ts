/** What other areas may use of news. */
import { part } from '#base/chunk.ts'

/** The block of the dashboard; its script comes when it is shown. */
export const NewsBlock = part(() => import('./NewsBlock.tsx'))
