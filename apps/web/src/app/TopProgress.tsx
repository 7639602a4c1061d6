import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { progress } from '#base/progress.ts'
import classes from './TopProgress.module.css'

const SHOW_AFTER_MS = 300

/**
 * A thin bar while a call or a chunk takes longer than a moment. Visual only: the awaited content announces itself in its
 * own place.
 */
export function TopProgress() {
  const calls = useSyncExternalStore(progress.subscribe, progress.running)
  const opening = useRouterState({ select: (state) => state.isLoading })
  const busy = calls || opening
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(busy), busy ? SHOW_AFTER_MS : 100)
    return () => clearTimeout(timer)
  }, [busy])
  return shown ? <div className={classes.bar} aria-hidden /> : null
}
