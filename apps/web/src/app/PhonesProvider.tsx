import type { ReactNode } from 'react'
import { useDial } from '../areas/calls/useDial.ts'
import { DialContext } from '../kit/PhoneLink.tsx'

/** Wherever a phone stands below, it is dialled by the clinic's exchange where one is there. */
export const PhonesProvider = ({ children }: { children: ReactNode }) => (
  <DialContext value={useDial()}>{children}</DialContext>
)
