declare module 'redoc/bundles/redoc.standalone.js' {
  const script: ArrayBuffer
  export default script
}
