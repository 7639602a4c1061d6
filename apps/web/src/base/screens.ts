import type { ComponentType } from 'react'

/** Loads the component of a page. */
export type Screen = () => Promise<{ default: ComponentType }>
