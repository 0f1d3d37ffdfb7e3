/** Volumes, claims and the sources of both. In the notation that `shape/parse.ts` reads. */
export const volumeNotation = `
Volume: awsElasticBlockStore:AWSElasticBlockStoreVolumeSource@2.4*
  azureDisk:AzureDiskVolumeSource@2.22* azureFile:AzureFileVolumeSource@2.18*
  cephfs:CephFSVolumeSource@2.14* cinder:CinderVolumeSource@2.13*
  configMap:ConfigMapVolumeSource@2.19* csi:CSIVolumeSource@2.28*
  downwardAPI:DownwardAPIVolumeSource@2.16* emptyDir:EmptyDirVolumeSource@2.2*
  ephemeral:EphemeralVolumeSource@2.29* fc:FCVolumeSource@2.17* flexVolume:FlexVolumeSource@2.12*
  flocker:FlockerVolumeSource@2.15* gcePersistentDisk:GCEPersistentDiskVolumeSource@2.3*
  gitRepo:GitRepoVolumeSource@2.5* glusterfs:GlusterfsVolumeSource@2.9*
  hostPath:HostPathVolumeSource@2.1* image:ImageVolumeSource@2.30* iscsi:ISCSIVolumeSource@2.8*
  name@1 nfs:NFSVolumeSource@2.7* persistentVolumeClaim:PersistentVolumeClaimVolumeSource@2.10*
  photonPersistentDisk:PhotonPersistentDiskVolumeSource@2.23*
  portworxVolume:PortworxVolumeSource@2.24* projected:ProjectedVolumeSource@2.26*
  quobyte:QuobyteVolumeSource@2.21* rbd:RBDVolumeSource@2.11* scaleIO:ScaleIOVolumeSource@2.25*
  secret:SecretVolumeSource@2.6* storageos:StorageOSVolumeSource@2.27*
  vsphereVolume:VsphereVirtualDiskVolumeSource@2.20*
AWSElasticBlockStoreVolumeSource: fsType@2 partition:i@3 readOnly:b@4 volumeID@1
AzureDiskVolumeSource: cachingMode@3* diskName@1 diskURI@2 fsType@4* kind@6* readOnly:b@5*
AzureFileVolumeSource: readOnly:b@3 secretName@1 shareName@2
CephFSVolumeSource: monitors:[s]@1 path@2 readOnly:b@6 secretFile@4
  secretRef:LocalObjectReference@5* user@3
CinderVolumeSource: fsType@2 readOnly:b@3 secretRef:LocalObjectReference@4* volumeID@1
ConfigMapVolumeSource: defaultMode:i@3* items:[KeyToPath]@2 name@1.1 optional:b@4*
KeyToPath: key@1 mode:i@3* path@2
CSIVolumeSource: driver@1 fsType@3* nodePublishSecretRef:LocalObjectReference@5* readOnly:b@2*
  volumeAttributes:{s}@4
DownwardAPIVolumeSource: defaultMode:i@2* items:[DownwardAPIVolumeFile]@1
DownwardAPIVolumeFile: fieldRef:ObjectFieldSelector@2* mode:i@4* path@1
  resourceFieldRef:ResourceFieldSelector@3*
EmptyDirVolumeSource: medium@1 sizeLimit:q@2*
EphemeralVolumeSource: volumeClaimTemplate:PersistentVolumeClaimTemplate@1*
PersistentVolumeClaimTemplate: metadata:ObjectMeta@1 spec:PersistentVolumeClaimSpec@2
PersistentVolumeClaimSpec: accessModes:[s]@1 dataSource:TypedLocalObjectReference@7*
  dataSourceRef:TypedObjectReference@8* resources:VolumeResourceRequirements@2
  selector:LabelSelector@4* storageClassName@5* volumeAttributesClassName@9* volumeMode@6*
  volumeName@3
TypedLocalObjectReference!: apiGroup@1* kind@2 name@3
TypedObjectReference: apiGroup@1* kind@2 name@3 namespace@4*
VolumeResourceRequirements: limits:{q}@1 requests:{q}@2
FCVolumeSource: fsType@3 lun:i@2* readOnly:b@4 targetWWNs:[s]@1 wwids:[s]@5
FlexVolumeSource: driver@1 fsType@2 options:{s}@5 readOnly:b@4 secretRef:LocalObjectReference@3*
FlockerVolumeSource: datasetName@1 datasetUUID@2
GCEPersistentDiskVolumeSource: fsType@2 partition:i@3 pdName@1 readOnly:b@4
GitRepoVolumeSource: directory@3 repository@1 revision@2
GlusterfsVolumeSource: endpoints@1 path@2 readOnly:b@3
HostPathVolumeSource: path@1 type@2*
ImageVolumeSource: pullPolicy@2 reference@1
ISCSIVolumeSource: chapAuthDiscovery:b@8 chapAuthSession:b@11 fsType@5 initiatorName@12* iqn@2
  iscsiInterface@4 lun:i@3 portals:[s]@7 readOnly:b@6 secretRef:LocalObjectReference@10*
  targetPortal@1
NFSVolumeSource: path@2 readOnly:b@3 server@1
PersistentVolumeClaimVolumeSource: claimName@1 readOnly:b@2
PhotonPersistentDiskVolumeSource: fsType@2 pdID@1
PortworxVolumeSource: fsType@2 readOnly:b@3 volumeID@1
ProjectedVolumeSource: defaultMode:i@2* sources:[VolumeProjection]@1
VolumeProjection: clusterTrustBundle:ClusterTrustBundleProjection@5*
  configMap:ConfigMapProjection@3* downwardAPI:DownwardAPIProjection@2*
  podCertificate:PodCertificateProjection@6* secret:SecretProjection@1*
  serviceAccountToken:ServiceAccountTokenProjection@4*
ClusterTrustBundleProjection: labelSelector:LabelSelector@3* name@1* optional:b@5* path@4
  signerName@2*
ConfigMapProjection: items:[KeyToPath]@2 name@1.1 optional:b@4*
DownwardAPIProjection: items:[DownwardAPIVolumeFile]@1
PodCertificateProjection: certificateChainPath@6 credentialBundlePath@4 keyPath@5 keyType@2
  maxExpirationSeconds:i@3* signerName@1 userAnnotations:{s}@7
SecretProjection: items:[KeyToPath]@2 name@1.1 optional:b@4*
ServiceAccountTokenProjection: audience@1 expirationSeconds:i@2* path@3
QuobyteVolumeSource: group@5 readOnly:b@3 registry@1 tenant@6 user@4 volume@2
RBDVolumeSource: fsType@3 image@2 keyring@6 monitors:[s]@1 pool@4 readOnly:b@8
  secretRef:LocalObjectReference@7* user@5
ScaleIOVolumeSource: fsType@9 gateway@1 protectionDomain@5 readOnly:b@10
  secretRef:LocalObjectReference@3* sslEnabled:b@4 storageMode@7 storagePool@6 system@2
  volumeName@8
SecretVolumeSource: defaultMode:i@3* items:[KeyToPath]@2 optional:b@4* secretName@1
StorageOSVolumeSource: fsType@3 readOnly:b@4 secretRef:LocalObjectReference@5* volumeName@1
  volumeNamespace@2
VsphereVirtualDiskVolumeSource: fsType@2 storagePolicyID@4 storagePolicyName@3 volumePath@1
PersistentVolumeClaim: apiVersion kind metadata:ObjectMeta@1 spec:PersistentVolumeClaimSpec@2
  status:PersistentVolumeClaimStatus@3
PersistentVolumeClaimStatus: accessModes:[s]@2 allocatedResourceStatuses:{s}@7
  allocatedResources:{q}@5 capacity:{q}@3 conditions:[PersistentVolumeClaimCondition]=type~@4
  currentVolumeAttributesClassName@8* modifyVolumeStatus:ModifyVolumeStatus@9* phase@1
PersistentVolumeClaimCondition: lastProbeTime:t@3 lastTransitionTime:t@4 message@6 reason@5
  status@2 type@1
ModifyVolumeStatus: status@2 targetVolumeAttributesClassName@1
PersistentVolume: metadata:ObjectMeta@1 spec:PersistentVolumeSpec@2
  status:PersistentVolumeStatus@3
PersistentVolumeSpec: accessModes:[s]@3 awsElasticBlockStore:AWSElasticBlockStoreVolumeSource@2.2*
  azureDisk:AzureDiskVolumeSource@2.16* azureFile:AzureFilePersistentVolumeSource@2.13*
  capacity:{q}@1 cephfs:CephFSPersistentVolumeSource@2.9* cinder:CinderPersistentVolumeSource@2.8*
  claimRef:ObjectReference@4* csi:CSIPersistentVolumeSource@2.22* fc:FCVolumeSource@2.10*
  flexVolume:FlexPersistentVolumeSource@2.12* flocker:FlockerVolumeSource@2.11*
  gcePersistentDisk:GCEPersistentDiskVolumeSource@2.1*
  glusterfs:GlusterfsPersistentVolumeSource@2.4* hostPath:HostPathVolumeSource@2.3*
  iscsi:ISCSIPersistentVolumeSource@2.7* local:LocalVolumeSource@2.20* mountOptions:[s]@7
  nfs:NFSVolumeSource@2.5* nodeAffinity:VolumeNodeAffinity@9* persistentVolumeReclaimPolicy@5
  photonPersistentDisk:PhotonPersistentDiskVolumeSource@2.17*
  portworxVolume:PortworxVolumeSource@2.18* quobyte:QuobyteVolumeSource@2.15*
  rbd:RBDPersistentVolumeSource@2.6* scaleIO:ScaleIOPersistentVolumeSource@2.19*
  storageClassName@6 storageos:StorageOSPersistentVolumeSource@2.21* volumeAttributesClassName@10*
  volumeMode@8* vsphereVolume:VsphereVirtualDiskVolumeSource@2.14*
AzureFilePersistentVolumeSource: readOnly:b@3 secretName@1 secretNamespace@4* shareName@2
CephFSPersistentVolumeSource: monitors:[s]@1 path@2 readOnly:b@6 secretFile@4
  secretRef:SecretReference@5* user@3
SecretReference!: name@1 namespace@2
CinderPersistentVolumeSource: fsType@2 readOnly:b@3 secretRef:SecretReference@4* volumeID@1
CSIPersistentVolumeSource: controllerExpandSecretRef:SecretReference@9*
  controllerPublishSecretRef:SecretReference@6* driver@1 fsType@4
  nodeExpandSecretRef:SecretReference@10* nodePublishSecretRef:SecretReference@8*
  nodeStageSecretRef:SecretReference@7* readOnly:b@3 volumeAttributes:{s}@5 volumeHandle@2
FlexPersistentVolumeSource: driver@1 fsType@2 options:{s}@5 readOnly:b@4
  secretRef:SecretReference@3*
GlusterfsPersistentVolumeSource: endpoints@1 endpointsNamespace@4* path@2 readOnly:b@3
ISCSIPersistentVolumeSource: chapAuthDiscovery:b@8 chapAuthSession:b@11 fsType@5 initiatorName@12*
  iqn@2 iscsiInterface@4 lun:i@3 portals:[s]@7 readOnly:b@6 secretRef:SecretReference@10*
  targetPortal@1
LocalVolumeSource: fsType@2* path@1
VolumeNodeAffinity: required:NodeSelector@1*
RBDPersistentVolumeSource: fsType@3 image@2 keyring@6 monitors:[s]@1 pool@4 readOnly:b@8
  secretRef:SecretReference@7* user@5
ScaleIOPersistentVolumeSource: fsType@9 gateway@1 protectionDomain@5 readOnly:b@10
  secretRef:SecretReference@3* sslEnabled:b@4 storageMode@7 storagePool@6 system@2 volumeName@8
StorageOSPersistentVolumeSource: fsType@3 readOnly:b@4 secretRef:ObjectReference@5* volumeName@1
  volumeNamespace@2
PersistentVolumeStatus: lastPhaseTransitionTime:t@4* message@2 phase@1 reason@3
`;
