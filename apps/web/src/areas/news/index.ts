/** What other areas may use of news. */
import { lazy } from 'react'

/** The block of the dashboard; its script comes when it is shown. */
export const NewsBlock = lazy(() => import('./NewsBlock.tsx'))
