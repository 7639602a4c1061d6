/* Service worker: caches the shell of the patients' room for bad connections. No data of patients pass through it. */
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

// A push has no content. The text is fetched with this device's sign-in; for a dialogue only the fact of an answer is
// shown.
addEventListener('push', (event) => event.waitUntil(post()))

async function post() {
  const look = { icon: '/portal/files/icon.svg', lang: 'ru' }
  const { clinic, items } = await news().catch(() => ({ items: [] }))
  if (items.length === 0)
    return self.registration.showNotification('Новое от клиники', {
      ...look,
      body: 'Откройте личный кабинет',
      tag: 'news',
      data: '/portal#chat',
    })
  for (const { id, text } of items)
    await self.registration.showNotification(clinic || 'Сообщение клиники', {
      ...look,
      body: text,
      tag: `message-${id}`,
      data: '/portal',
    })
}

async function news() {
  const { endpoint } = await self.registration.pushManager.getSubscription()
  const answer = await fetch('/portal/device/news', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint }),
  })
  if (!answer.ok) throw new Error('No news')
  return answer.json()
}

addEventListener('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then(async ([open]) => {
      if (!open) return self.clients.openWindow(notification.data)
      await open.focus()
      return open.navigate(notification.data)
    }),
  )
})
