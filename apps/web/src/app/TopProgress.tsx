import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { progress } from '../base/progress.ts'
import classes from './TopProgress.module.css'

const SHOW_AFTER_MS = 300

/**
 * A thin bar while something is on its way for more than a moment: a call of the server or a part of the app. For the
 * eye only: what is awaited says so in its own place.
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
