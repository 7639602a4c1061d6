// The clinic's chat on any page: a button, and the panel in a frame once it is asked for. Loads, stores and sends nothing before.
;(() => {
  const script = document.currentScript
  if (!script || window.OrdinatorChat) return
  const source = new URL(script.src)
  const key = source.searchParams.get('key') || ''
  const stored = `ordinator-chat:${key}`
  let frame
  let contact
  let ready = false

  const holder = document.createElement('div')
  holder.style.cssText = 'all:initial;position:fixed;right:20px;bottom:20px;z-index:2147483000'
  const root = holder.attachShadow({ mode: 'open' })
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Чат'
  button.setAttribute('aria-expanded', 'false')
  button.setAttribute('aria-label', 'Написать в клинику')
  button.style.cssText =
    'min-width:64px;height:56px;padding:0 20px;border:0;border-radius:28px;background:#0b7285;color:#fff;cursor:pointer;font:600 16px/1 system-ui,sans-serif;box-shadow:0 4px 16px rgba(0,0,0,.25)'
  root.append(button)

  const recall = () => {
    try {
      return localStorage.getItem(stored)
    } catch {
      return null
    }
  }
  const say = (data) => frame?.contentWindow?.postMessage({ ordinator: 1, ...data }, source.origin)
  const toggle = (open) => {
    if (open && !frame) {
      frame = document.createElement('iframe')
      frame.title = 'Чат с клиникой'
      frame.src = `${source.origin}/live-assist/panel?key=${encodeURIComponent(key)}&host=${encodeURIComponent(location.hostname)}`
      // A phone gives it the whole screen: the keyboard leaves little of it.
      frame.style.cssText = matchMedia('(max-width:480px)').matches
        ? 'display:block;position:fixed;inset:0;width:100%;height:100%;border:0;background:#fff'
        : 'display:block;position:fixed;right:16px;bottom:88px;width:min(380px,calc(100vw - 32px));height:min(640px,calc(100vh - 108px));border:0;border-radius:16px;background:#fff;box-shadow:0 8px 32px rgba(0,0,0,.3)'
      root.append(frame)
    }
    if (!frame) return
    frame.style.display = open ? 'block' : 'none'
    button.setAttribute('aria-expanded', String(open))
    button.textContent = open ? 'Закрыть' : 'Чат'
    button.setAttribute('aria-label', open ? 'Закрыть чат' : 'Написать в клинику')
    if (open) frame.focus()
    else button.focus()
    if (ready) say({ shown: open })
  }
  button.addEventListener('click', () => toggle(!frame || frame.style.display === 'none'))
  window.addEventListener('message', ({ data, origin, source: from }) => {
    if (origin !== source.origin || !frame || from !== frame.contentWindow || data?.ordinator !== 1) return
    if (data.ready) {
      ready = true
      say({ token: recall(), contact, shown: true })
    }
    if (data.close) toggle(false)
    if (typeof data.token === 'string')
      try {
        localStorage.setItem(stored, data.token)
      } catch {
        // The chat lives as long as the page does.
      }
  })
  window.OrdinatorChat = {
    open: () => toggle(true),
    close: () => toggle(false),
    setContactInfo(given) {
      contact = given
      if (ready) say({ contact })
    },
  }
  const put = () => document.body.append(holder)
  if (document.body) put()
  else addEventListener('DOMContentLoaded', put)
})()
