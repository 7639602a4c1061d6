import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Portal } from './Portal.tsx'
import './style/base.css'
import './style/frame.css'
import './style/content.css'
import './style/controls.css'
import './style/booking.css'
import './style/chat.css'
import './style/helpers.css'

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Portal />
  </StrictMode>,
)

// Caches only the shell: no data of patients are stored.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register('/portal/files/sw.js', { scope: '/portal' }).catch(() => {})
