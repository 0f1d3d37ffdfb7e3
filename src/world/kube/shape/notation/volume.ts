/** Volumes, claims and the sources of both. In the notation that `shape/parse.ts` reads. */
export const volumeNotation = `
Volume: awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource
  azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource
  configMap:ConfigMapVolumeSource csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource
  emptyDir:EmptyDirVolumeSource ephemeral:EphemeralVolumeSource fc:FCVolumeSource
  flexVolume:FlexVolumeSource flocker:FlockerVolumeSource
  gcePersistentDisk:GCEPersistentDiskVolumeSource gitRepo:GitRepoVolumeSource
  glusterfs:GlusterfsVolumeSource hostPath:HostPathVolumeSource image:ImageVolumeSource
  iscsi:ISCSIVolumeSource name nfs:NFSVolumeSource
  persistentVolumeClaim:PersistentVolumeClaimVolumeSource
  photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource
  projected:ProjectedVolumeSource quobyte:QuobyteVolumeSource rbd:RBDVolumeSource
  scaleIO:ScaleIOVolumeSource secret:SecretVolumeSource storageos:StorageOSVolumeSource
  vsphereVolume:VsphereVirtualDiskVolumeSource
AWSElasticBlockStoreVolumeSource: fsType partition:i readOnly:b volumeID
AzureDiskVolumeSource: cachingMode diskName diskURI fsType kind readOnly:b
AzureFileVolumeSource: readOnly:b secretName shareName
CephFSVolumeSource: monitors:[s] path readOnly:b secretFile secretRef:LocalObjectReference user
CinderVolumeSource: fsType readOnly:b secretRef:LocalObjectReference volumeID
ConfigMapVolumeSource: defaultMode:i items:[KeyToPath] name optional:b
KeyToPath: key mode:i path
CSIVolumeSource: driver fsType nodePublishSecretRef:LocalObjectReference readOnly:b
  volumeAttributes:{s}
DownwardAPIVolumeSource: defaultMode:i items:[DownwardAPIVolumeFile]
DownwardAPIVolumeFile: fieldRef:ObjectFieldSelector mode:i path
  resourceFieldRef:ResourceFieldSelector
EmptyDirVolumeSource: medium sizeLimit:q
EphemeralVolumeSource: volumeClaimTemplate:PersistentVolumeClaimTemplate
PersistentVolumeClaimTemplate: metadata:ObjectMeta spec:PersistentVolumeClaimSpec
PersistentVolumeClaimSpec: accessModes:[s] dataSource:TypedLocalObjectReference
  dataSourceRef:TypedObjectReference resources:VolumeResourceRequirements selector:LabelSelector
  storageClassName volumeAttributesClassName volumeMode volumeName
TypedLocalObjectReference!: apiGroup kind name
TypedObjectReference: apiGroup kind name namespace
VolumeResourceRequirements: limits:{q} requests:{q}
FCVolumeSource: fsType lun:i readOnly:b targetWWNs:[s] wwids:[s]
FlexVolumeSource: driver fsType options:{s} readOnly:b secretRef:LocalObjectReference
FlockerVolumeSource: datasetName datasetUUID
GCEPersistentDiskVolumeSource: fsType partition:i pdName readOnly:b
GitRepoVolumeSource: directory repository revision
GlusterfsVolumeSource: endpoints path readOnly:b
HostPathVolumeSource: path type
ImageVolumeSource: pullPolicy reference
ISCSIVolumeSource: chapAuthDiscovery:b chapAuthSession:b fsType initiatorName iqn iscsiInterface
  lun:i portals:[s] readOnly:b secretRef:LocalObjectReference targetPortal
NFSVolumeSource: path readOnly:b server
PersistentVolumeClaimVolumeSource: claimName readOnly:b
PhotonPersistentDiskVolumeSource: fsType pdID
PortworxVolumeSource: fsType readOnly:b volumeID
ProjectedVolumeSource: defaultMode:i sources:[VolumeProjection]
VolumeProjection: clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection
  downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection
  secret:SecretProjection serviceAccountToken:ServiceAccountTokenProjection
ClusterTrustBundleProjection: labelSelector:LabelSelector name optional:b path signerName
ConfigMapProjection: items:[KeyToPath] name optional:b
DownwardAPIProjection: items:[DownwardAPIVolumeFile]
PodCertificateProjection: certificateChainPath credentialBundlePath keyPath keyType
  maxExpirationSeconds:i signerName userAnnotations:{s}
SecretProjection: items:[KeyToPath] name optional:b
ServiceAccountTokenProjection: audience expirationSeconds:i path
QuobyteVolumeSource: group readOnly:b registry tenant user volume
RBDVolumeSource: fsType image keyring monitors:[s] pool readOnly:b secretRef:LocalObjectReference
  user
ScaleIOVolumeSource: fsType gateway protectionDomain readOnly:b secretRef:LocalObjectReference
  sslEnabled:b storageMode storagePool system volumeName
SecretVolumeSource: defaultMode:i items:[KeyToPath] optional:b secretName
StorageOSVolumeSource: fsType readOnly:b secretRef:LocalObjectReference volumeName volumeNamespace
VsphereVirtualDiskVolumeSource: fsType storagePolicyID storagePolicyName volumePath
PersistentVolumeClaim: apiVersion kind metadata:ObjectMeta spec:PersistentVolumeClaimSpec
  status:PersistentVolumeClaimStatus
PersistentVolumeClaimStatus: accessModes:[s] allocatedResourceStatuses:{s} allocatedResources:{q}
  capacity:{q} conditions:[PersistentVolumeClaimCondition]=type~ currentVolumeAttributesClassName
  modifyVolumeStatus:ModifyVolumeStatus phase
PersistentVolumeClaimCondition: lastProbeTime:t lastTransitionTime:t message reason status type
ModifyVolumeStatus: status targetVolumeAttributesClassName
PersistentVolume: metadata:ObjectMeta spec:PersistentVolumeSpec status:PersistentVolumeStatus
PersistentVolumeSpec: accessModes:[s] awsElasticBlockStore:AWSElasticBlockStoreVolumeSource
  azureDisk:AzureDiskVolumeSource azureFile:AzureFilePersistentVolumeSource capacity:{q}
  cephfs:CephFSPersistentVolumeSource cinder:CinderPersistentVolumeSource claimRef:ObjectReference
  csi:CSIPersistentVolumeSource fc:FCVolumeSource flexVolume:FlexPersistentVolumeSource
  flocker:FlockerVolumeSource gcePersistentDisk:GCEPersistentDiskVolumeSource
  glusterfs:GlusterfsPersistentVolumeSource hostPath:HostPathVolumeSource
  iscsi:ISCSIPersistentVolumeSource local:LocalVolumeSource mountOptions:[s] nfs:NFSVolumeSource
  nodeAffinity:VolumeNodeAffinity persistentVolumeReclaimPolicy
  photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource
  quobyte:QuobyteVolumeSource rbd:RBDPersistentVolumeSource scaleIO:ScaleIOPersistentVolumeSource
  storageClassName storageos:StorageOSPersistentVolumeSource volumeAttributesClassName volumeMode
  vsphereVolume:VsphereVirtualDiskVolumeSource
AzureFilePersistentVolumeSource: readOnly:b secretName secretNamespace shareName
CephFSPersistentVolumeSource: monitors:[s] path readOnly:b secretFile secretRef:SecretReference
  user
SecretReference!: name namespace
CinderPersistentVolumeSource: fsType readOnly:b secretRef:SecretReference volumeID
CSIPersistentVolumeSource: controllerExpandSecretRef:SecretReference
  controllerPublishSecretRef:SecretReference driver fsType nodeExpandSecretRef:SecretReference
  nodePublishSecretRef:SecretReference nodeStageSecretRef:SecretReference readOnly:b
  volumeAttributes:{s} volumeHandle
FlexPersistentVolumeSource: driver fsType options:{s} readOnly:b secretRef:SecretReference
GlusterfsPersistentVolumeSource: endpoints endpointsNamespace path readOnly:b
ISCSIPersistentVolumeSource: chapAuthDiscovery:b chapAuthSession:b fsType initiatorName iqn
  iscsiInterface lun:i portals:[s] readOnly:b secretRef:SecretReference targetPortal
LocalVolumeSource: fsType path
VolumeNodeAffinity: required:NodeSelector
RBDPersistentVolumeSource: fsType image keyring monitors:[s] pool readOnly:b
  secretRef:SecretReference user
ScaleIOPersistentVolumeSource: fsType gateway protectionDomain readOnly:b
  secretRef:SecretReference sslEnabled:b storageMode storagePool system volumeName
StorageOSPersistentVolumeSource: fsType readOnly:b secretRef:ObjectReference volumeName
  volumeNamespace
PersistentVolumeStatus: lastPhaseTransitionTime:t message phase reason
`;
