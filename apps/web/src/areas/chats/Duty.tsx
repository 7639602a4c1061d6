import { useEffect, useState } from 'react'
import { useReminding } from '#areas/notifications/index.ts'
import { useCounts } from './useCounts.ts'
import { useDuty } from './useDuty.ts'

/** Milliseconds after which it is said that one is there: the page that opens comes first. */
const AFTER = 3_000

/** Says on every page that an operator is there, and sounds until what waits for one is read. */
export default function Duty() {
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOpened(true), AFTER)
    return () => clearTimeout(timer)
  }, [])
  useDuty(opened)
  useReminding((useCounts(opened)?.ringing ?? 0) > 0)
  return null
}
