import { useEffect, useState } from 'react'
import { useReminding } from '#areas/notifications/index.ts'
import { useCounts } from './useCounts.ts'
import { useDuty } from './useDuty.ts'

/** Delay of the first presence request, so that the page loads first. */
const AFTER = 3_000

/** Reports the operator's presence on every page, and repeats a sound until waiting chats are read. */
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
