import type { ReactNode } from 'react'
import { useDial } from '#areas/calls/useDial.ts'
import { DialContext } from '#kit/PhoneLink.tsx'

/** Makes phone numbers below dial through the clinic's exchange, if there is one. */
export const PhonesProvider = ({ children }: { children: ReactNode }) => (
  <DialContext value={useDial()}>{children}</DialContext>
)
