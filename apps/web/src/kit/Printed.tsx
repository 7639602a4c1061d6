import { type ReactNode, useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import classes from './Printed.module.css'

/** The print layout of a screen: rendered beside the app, and only while the browser prints. */
export function Printed({ className, children }: { className: string | undefined; children: () => ReactNode }) {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  if (!printing) return null
  return createPortal(
    <div className={`${classes.print} ${className ?? ''}`} aria-hidden>
      {children()}
    </div>,
    document.body,
  )
}
