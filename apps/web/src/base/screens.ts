import type { PageKey } from '@ordinator/model/pages'
import type { ComponentType } from 'react'

/** Loads the component of a page. */
export type Screen = () => Promise<{ default: ComponentType }>

/** Screens by the keys of their pages. */
export type Screens = Partial<Record<PageKey, Screen>>
