// The clinic's chat on any page: a button, and the panel in a frame on demand. Loads, stores and sends nothing before.
;(() => {
  const script = document.currentScript
  if (!script || window.OrdinatorChat) return
  const source = new URL(script.src)
  const key = source.searchParams.get('key') || ''
  const stored = `ordinator-chat:${key}`
  let frame
  let contact
  let ready = false
  let unread = 0
  const title = document.title
  const en = /^en/i.test(document.documentElement.lang)
  const t = (ru, english) => (en ? english : ru)

  const holder = document.createElement('div')
  holder.style.cssText = 'all:initial;position:fixed;right:20px;bottom:20px;z-index:2147483000'
  const root = holder.attachShadow({ mode: 'open' })
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = t('Чат', 'Chat')
  button.setAttribute('aria-expanded', 'false')
  button.setAttribute('aria-label', t('Написать в клинику', 'Write to the clinic'))
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
  const isOpen = () => frame !== undefined && frame.style.display !== 'none'
  const mark = () => {
    const count = isOpen() ? 0 : unread
    const own = document.title.replace(/^\(\d+\) /, '')
    if (count || own !== document.title) document.title = count ? `(${count}) ${own || title}` : own
    if (isOpen()) return
    button.textContent = t('Чат', 'Chat') + (count ? ` · ${count}` : '')
    button.setAttribute(
      'aria-label',
      count
        ? t(`Чат с клиникой, новых сообщений: ${count}`, `Chat, new messages: ${count}`)
        : t('Написать в клинику', 'Write to the clinic'),
    )
  }
  const say = (data) => frame?.contentWindow?.postMessage({ ordinator: 1, ...data }, source.origin)
  const toggle = (open) => {
    if (open && !frame) {
      frame = document.createElement('iframe')
      frame.title = t('Чат с клиникой', 'Chat with the clinic')
      frame.src = `${source.origin}/live-assist/panel?key=${encodeURIComponent(key)}&host=${encodeURIComponent(location.hostname)}${en ? '&lang=en' : ''}`
      // On a phone it takes the whole screen: the keyboard leaves little of it.
      frame.style.cssText = matchMedia('(max-width:480px)').matches
        ? 'display:block;position:fixed;inset:0;width:100%;height:100%;border:0;background:#fff'
        : 'display:block;position:fixed;right:16px;bottom:88px;width:min(380px,calc(100vw - 32px));height:min(640px,calc(100vh - 108px));border:0;border-radius:16px;background:#fff;box-shadow:0 8px 32px rgba(0,0,0,.3)'
      root.append(frame)
    }
    if (!frame) return
    frame.style.display = open ? 'block' : 'none'
    button.setAttribute('aria-expanded', String(open))
    if (open) {
      unread = 0
      button.textContent = t('Закрыть', 'Close')
      button.setAttribute('aria-label', t('Закрыть чат', 'Close the chat'))
    }
    mark()
    if (open) frame.focus()
    else button.focus()
    if (ready) say({ shown: open })
  }
  const soundKey = `${stored}:sound`
  const isLoud = () => {
    try {
      return localStorage.getItem(soundKey) !== 'off'
    } catch {
      return true
    }
  }
  // A short tone; a page without user interaction may not play it.
  const ring = () => {
    try {
      const audio = new AudioContext()
      const tone = audio.createOscillator()
      const volume = audio.createGain()
      volume.gain.value = 0.1
      tone.frequency.value = 660
      tone.connect(volume).connect(audio.destination)
      tone.start()
      tone.stop(audio.currentTime + 0.15)
      tone.onended = () => void audio.close()
    } catch {
      // No sound available.
    }
  }
  button.addEventListener('click', () => toggle(!frame || frame.style.display === 'none'))
  window.addEventListener('message', ({ data, origin, source: from }) => {
    if (origin !== source.origin || !frame || from !== frame.contentWindow || data?.ordinator !== 1) return
    if (data.ready) {
      ready = true
      say({ token: recall(), contact, shown: isOpen(), sound: isLoud() })
    }
    if (data.close) toggle(false)
    if (typeof data.unread === 'number' && !isOpen()) {
      const isMore = data.unread > unread
      unread = data.unread
      mark()
      if (isMore && isLoud()) ring()
    }
    if (typeof data.sound === 'boolean')
      try {
        localStorage.setItem(soundKey, data.sound ? 'on' : 'off')
      } catch {
        // Kept until the page is left.
      }
    if (typeof data.token === 'string')
      try {
        localStorage.setItem(stored, data.token)
      } catch {
        // The chat lasts as long as the page.
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
