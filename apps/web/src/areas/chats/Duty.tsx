import { useEffect, useState } from 'react'
import { useDuty } from './useDuty.ts'

/** Milliseconds after which it is said that one is there: the page that opens comes first. */
const AFTER = 3_000

/** Says on every page that an operator is there. */
export default function Duty() {
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOpened(true), AFTER)
    return () => clearTimeout(timer)
  }, [])
  useDuty(opened)
  return null
}
