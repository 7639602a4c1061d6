import { formatDay, formatMoney } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'

export interface PrintedLink {
  id: number
  sum: number
  /** What is paid for. */
  about: string
  payee: { name: string; phone: string | null }
  dateTo: string
  url: string
  qr: { size: number; path: string } | null
}

/** Millimetres of the code on paper: a phone reads it from the hand. */
const QR_MM = 70
const SVG = 'http://www.w3.org/2000/svg'
const STYLE = `@page{size:A5;margin:12mm}
*{box-sizing:border-box}
body{font:12pt/1.45 system-ui,sans-serif;color:#000;background:#fff;margin:0;text-align:center}
header{text-align:left;border-bottom:1px solid #999;padding-bottom:3mm;margin-bottom:8mm;font-weight:600}
header small{display:block;font-weight:400;font-size:10pt;color:#333}
h1{font-size:30pt;line-height:1.1;margin:0 0 2mm;white-space:nowrap}
p{margin:0;text-wrap:balance}
svg{display:block;width:${QR_MM}mm;height:${QR_MM}mm;margin:6mm auto}
ol{display:inline-block;text-align:left;margin:0 0 5mm;padding-left:6mm}
.address{font:9pt/1.4 ui-monospace,monospace;overflow-wrap:anywhere;margin:1mm 0 5mm}
footer{border-top:1px solid #999;padding-top:3mm;font-size:9pt;color:#333;text-align:left}`

/** Prints a link as a sheet of half a page: whose it is, what for, the sum, the code and the address. */
export function printLink(link: PrintedLink): void {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0'
  frame.title = 'Печать ссылки на оплату'
  document.body.append(frame)
  const sheet = frame.contentDocument
  if (!sheet) return
  drawLink(sheet, link)
  frame.contentWindow?.addEventListener('afterprint', () => setTimeout(() => frame.remove()))
  frame.contentWindow?.print()
}

export function drawLink(sheet: Document, { id, sum, about, payee, dateTo, url, qr }: PrintedLink): void {
  sheet.documentElement.lang = 'ru'
  // The name of the file, when it is printed to one.
  sheet.title = `Оплата ${id}`
  const add = (parent: Element, tag: string, text = '', className = '') => {
    const part = sheet.createElement(tag)
    part.textContent = text
    if (className) part.className = className
    parent.append(part)
    return part
  }
  add(sheet.head, 'style', STYLE)
  const head = add(sheet.body, 'header', payee.name)
  if (payee.phone) add(head, 'small', phoneText(payee.phone))
  add(sheet.body, 'h1', formatMoney(sum))
  add(sheet.body, 'p', about)
  if (qr) {
    const picture = sheet.createElementNS(SVG, 'svg')
    picture.setAttribute('viewBox', `-2 -2 ${qr.size + 4} ${qr.size + 4}`)
    picture.setAttribute('shape-rendering', 'crispEdges')
    const path = sheet.createElementNS(SVG, 'path')
    path.setAttribute('d', qr.path)
    picture.append(path)
    sheet.body.append(picture)
  }
  const steps = add(sheet.body, 'ol')
  add(steps, 'li', 'Наведите камеру телефона на код.')
  add(steps, 'li', 'Заплатите картой или по СБП.')
  add(sheet.body, 'p', 'Или откройте в браузере:')
  add(sheet.body, 'p', url, 'address')
  const contact = payee.phone ? ` Вопросы: ${phoneText(payee.phone)}.` : ''
  add(sheet.body, 'footer', `Ссылка № ${id}, действует до ${formatDay(dateTo)}.${contact}`)
}
