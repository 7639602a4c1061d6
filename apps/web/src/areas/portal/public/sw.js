/* Keeps the shell of the patients' room for a bad line. Nothing that a patient is told passes through here. */
const CACHE = 'portal-shell-1'
const ASSET = /^\/portal\/files\/assets\//

addEventListener('install', () => self.skipWaiting())
addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  ),
)

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (ASSET.test(pathname)) event.respondWith(kept(request))
  else if (request.mode === 'navigate' && pathname === '/portal') event.respondWith(fresh())
})

async function kept(request) {
  const cache = await caches.open(CACHE)
  const found = await cache.match(request)
  if (found) return found
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

async function fresh() {
  const cache = await caches.open(CACHE)
  try {
    const answer = await fetch('/portal')
    if (answer.ok) await cache.put('/portal', answer.clone())
    return answer
  } catch (error) {
    const found = await cache.match('/portal')
    if (found) return found
    throw error
  }
}

// What comes has no content: that there is something new is all that a screen may show to whoever holds the phone.
addEventListener('push', (event) =>
  event.waitUntil(
    self.registration.showNotification('Новое от клиники', {
      body: 'Откройте личный кабинет',
      icon: '/portal/files/icon.svg',
      lang: 'ru',
      tag: 'news',
    }),
  ),
)

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then(async ([open]) => {
      if (!open) return self.clients.openWindow('/portal#chat')
      await open.focus()
      return open.navigate('/portal#chat')
    }),
  )
})
